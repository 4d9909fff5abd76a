//! The repository rule of exact arithmetic, checked on what is parsed and not on text.
//!
//! **References** (`reference.rs` of each kernel, and the Rust of isobit-exact outside its tests) call no function of `std`
//! whose result depends on the platform, and no `mul_add`.
//!
//! **Exact twins.** In every module of a twin named `exact`, in each function that is not one of isobit-exact's chunks:
//!
//! * the result of a float `+`, `−` or `×` goes into `seal` and nowhere else;
//! * there is no float `/` or `%`, and of the built-in functions on floats only those that return bits of their operand or
//!   a whole number: `abs`, `ceil`, `floor`, `round`, `trunc`;
//! * no value is compared with itself, and none is sampled from a texture or derived.
//!
//! Functions of a chunk are exempt if the module holds the whole chunk, word for word: they are proved on the devices.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use isobit::format::{Depth, Format, Layout};
use isobit::frame::ClipShape;
use isobit_exact::CHUNKS;
use isobit_registry::registry;
use naga::valid::{Capabilities, FunctionInfo, ValidationFlags, Validator};
use naga::{
    BinaryOperator as Operator, Block, Expression, Function, Handle, MathFunction as Math, Module, ScalarKind,
    Statement, TypeInner,
};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;

/// Functions of `f32` and `f64` whose result depends on the platform's library or on fusing.
const BANNED: [&str; 32] = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "cos",
    "cosh",
    "exp",
    "exp2",
    "exp_m1",
    "gamma",
    "hypot",
    "ln",
    "ln_1p",
    "ln_gamma",
    "log",
    "log10",
    "log2",
    "mul_add",
    "powf",
    "powi",
    "sin",
    "sin_cos",
    "sinh",
    "tan",
    "tanh",
    "erf",
    "erfc",
    "algebraic_add",
];

#[test]
fn references_call_nothing_that_differs_by_platform() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let exact = crates.join("isobit-exact");
    let files = rust_files(crates);
    let checked: Vec<_> = files
        .iter()
        .filter(|path| !path.iter().any(|part| part == "tests" || part == "tests.rs"))
        .filter(|path| path.ends_with("reference.rs") || path.starts_with(exact.join("src")))
        .collect();
    assert!(checked.len() > 20, "only {} references were found", checked.len());
    let mut found = Vec::new();
    for path in checked {
        let calls = banned_calls(&fs::read_to_string(path).unwrap());
        found.extend(calls.into_iter().map(|call| format!("{}: {call}", path.display())));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_banned_call_is_found_in_each_of_its_forms() {
    let calls = |source: &str| banned_calls(source).len();
    assert_eq!(calls("fn f(x: f32) -> f32 { x.powf(2.0).sqrt() }"), 1);
    assert_eq!(calls("fn f(x: f32) -> f32 { f32::exp(x) + f64::ln(1.0) as f32 }"), 2);
    assert_eq!(
        calls("fn f(x: &[f32]) -> Vec<f32> { x.iter().copied().map(f32::cbrt).collect() }"),
        1
    );
    assert_eq!(calls("fn f(x: f32) { assert_eq!(x.sin(), 0.0); }"), 1);
    assert_eq!(
        calls("fn f(x: f32) -> f32 { crate::math::exp(x) + cos(x) + x.sqrt() }"),
        0
    );
    assert_eq!(calls("#[cfg(test)] mod tests { fn f(x: f32) -> f32 { x.exp() } }"), 0);
    assert_eq!(
        calls("mod inner { impl S { fn f(x: f32) -> f32 { x.mul_add(1.0, 2.0) } } }"),
        1
    );
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Calls and mentions of banned functions outside tests.
fn banned_calls(source: &str) -> Vec<String> {
    let file = syn::parse_file(source).unwrap();
    let mut found = Vec::new();
    for item in file.items {
        if !is_test(&item) {
            scan(item.to_token_stream(), &mut found);
        }
    }
    found
}

fn is_test(item: &syn::Item) -> bool {
    let syn::Item::Mod(module) = item else { return false };
    module.attrs.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .parse_args::<syn::Path>()
                .is_ok_and(|path| path.is_ident("test"))
    })
}

/// Looks for `.name(`, `f32::name` and `f64::name`, inside macros too.
fn scan(stream: TokenStream, found: &mut Vec<String>) {
    let tokens: Vec<_> = stream.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => scan(group.stream(), found),
            TokenTree::Ident(name) if BANNED.contains(&name.to_string().as_str()) => {
                let before: String = tokens[index.saturating_sub(3)..index]
                    .iter()
                    .map(ToString::to_string)
                    .collect();
                let called = matches!(tokens.get(index + 1), Some(TokenTree::Group(_)));
                if (before.ends_with('.') && called) || before.ends_with("f32::") || before.ends_with("f64::") {
                    found.push(format!("`{name}` of std"));
                }
            }
            _ => {}
        }
    }
}

#[test]
fn exact_twins_hold_no_arithmetic_that_a_compiler_may_change() {
    let mut modules = BTreeMap::new();
    for kernel in registry().kernels {
        let Some(twin) = kernel.twin("exact") else { continue };
        for layout in Layout::ALL {
            for depth in Depth::ALL {
                let shape = ClipShape::tight(Format::new(layout, depth), 64, 48);
                if !(kernel.accepts)(shape.format) || kernel.refusal(&shape).is_some() {
                    continue;
                }
                for plan in kernel.plans(twin, &shape, 3).unwrap() {
                    let sources = plan.modules.into_values();
                    modules.extend(sources.map(|module| (module.wgsl, kernel.name)));
                }
            }
        }
    }
    assert!(!modules.is_empty(), "no exact twin was found");
    let mut found = Vec::new();
    for (wgsl, kernel) in modules {
        found.extend(
            violations(&wgsl)
                .into_iter()
                .map(|violation| format!("{kernel}: {violation}")),
        );
    }
    found.dedup();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// What breaks the rule in a module.
fn violations(wgsl: &str) -> Vec<String> {
    let module = naga::front::wgsl::parse_str(wgsl).unwrap_or_else(|error| panic!("{}", error.emit_to_string(wgsl)));
    let info = Validator::new(ValidationFlags::all(), Capabilities::all())
        .validate(&module)
        .unwrap();
    let proved = proved(wgsl);
    let mut found = Vec::new();
    for (handle, function) in module.functions.iter() {
        if !function.name.as_ref().is_some_and(|name| proved.contains(name)) {
            Check::new(&module, function, &info[handle], &proved).run(&mut found);
        }
    }
    for (index, point) in module.entry_points.iter().enumerate() {
        Check::new(&module, &point.function, info.get_entry_point(index), &proved).run(&mut found);
    }
    found
}

/// The names of the functions of those chunks that the module holds whole.
fn proved(wgsl: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for chunk in CHUNKS.iter().filter(|chunk| wgsl.contains(chunk.source.trim())) {
        let declarations = chunk.source.lines().filter_map(|line| line.strip_prefix("fn "));
        names.extend(
            declarations
                .filter_map(|line| line.split_once('('))
                .map(|(name, _)| name.to_owned()),
        );
    }
    names
}

/// The check of one function.
struct Check<'a> {
    module: &'a Module,
    function: &'a Function,
    info: &'a FunctionInfo,
    /// How often an expression is the operand of `seal`.
    sealed: BTreeMap<Handle<Expression>, usize>,
}

impl<'a> Check<'a> {
    fn new(module: &'a Module, function: &'a Function, info: &'a FunctionInfo, proved: &BTreeSet<String>) -> Self {
        let mut check = Self {
            module,
            function,
            info,
            sealed: BTreeMap::new(),
        };
        if proved.contains("seal") {
            check.find_seals(&function.body);
        }
        check
    }

    fn find_seals(&mut self, block: &Block) {
        for statement in block {
            match statement {
                Statement::Call {
                    function, arguments, ..
                } if self.module.functions[*function].name.as_deref() == Some("seal") => {
                    *self.sealed.entry(arguments[0]).or_default() += 1;
                }
                Statement::Block(block) => self.find_seals(block),
                Statement::If { accept, reject, .. } => {
                    self.find_seals(accept);
                    self.find_seals(reject);
                }
                Statement::Switch { cases, .. } => cases.iter().for_each(|case| self.find_seals(&case.body)),
                Statement::Loop { body, continuing, .. } => {
                    self.find_seals(body);
                    self.find_seals(continuing);
                }
                _ => {}
            }
        }
    }

    fn is_float(&self, expression: Handle<Expression>) -> bool {
        match self.info[expression].ty.inner_with(&self.module.types) {
            TypeInner::Scalar(scalar) | TypeInner::Vector { scalar, .. } | TypeInner::Matrix { scalar, .. } => {
                scalar.kind == ScalarKind::Float
            }
            _ => false,
        }
    }

    /// The same expression, or two loads from one place.
    fn is_same(&self, left: Handle<Expression>, right: Handle<Expression>) -> bool {
        let pointer = |handle: Handle<Expression>| match self.function.expressions[handle] {
            Expression::Load { pointer } => Some(pointer),
            _ => None,
        };
        left == right || pointer(left).is_some_and(|place| pointer(right) == Some(place))
    }

    fn run(&self, found: &mut Vec<String>) {
        let name = self.function.name.as_deref().unwrap_or("an entry point");
        for (handle, expression) in self.function.expressions.iter() {
            if let Some(what) = self.violation(handle, expression) {
                found.push(format!("`{name}`: {what}"));
            }
        }
    }

    fn violation(&self, handle: Handle<Expression>, expression: &Expression) -> Option<String> {
        match *expression {
            Expression::Binary { op, left, right } if self.is_float(left) || self.is_float(right) => match op {
                Operator::Add | Operator::Subtract | Operator::Multiply => {
                    let sealed = self.sealed.get(&handle).copied().unwrap_or(0);
                    (sealed == 0 || sealed != self.info[handle].ref_count)
                        .then(|| format!("an unsealed {op:?} of floats"))
                }
                Operator::Divide | Operator::Modulo => Some(format!("{op:?} of floats")),
                _ if self.is_same(left, right) => Some("a float compared with itself".to_owned()),
                _ => None,
            },
            Expression::Math { fun, arg, .. } => {
                let kept = matches!(fun, Math::Abs | Math::Ceil | Math::Floor | Math::Round | Math::Trunc);
                let float = self.is_float(arg) || self.is_float(handle);
                (float && !kept).then(|| format!("the built-in function {fun:?} of floats"))
            }
            Expression::Relational { argument, fun } if self.is_float(argument) => Some(format!("{fun:?} of floats")),
            Expression::ImageSample { .. } => Some("a sampled texture".to_owned()),
            Expression::Derivative { .. } => Some("a derivative".to_owned()),
            _ => None,
        }
    }
}

/// A module whose entry point stores the float expression `value` of the floats `a` and `b`.
fn module_with(chunks: &[&str], value: &str) -> String {
    let body = format!(
        "@group(0) @binding(0) var<storage, read_write> values: array<f32>;
         @compute @workgroup_size(1) fn main() {{
             let a = values[0];
             let b = values[1];
             var c = values[2];
             values[3] = {value};
         }}"
    );
    isobit_exact::join(chunks, &body).unwrap()
}

#[test]
fn each_violation_is_found() {
    for value in [
        "a + b",
        "a * b - c",
        "seal(a * b + c)",
        "seal(a - b) * c",
        "a / b",
        "a % b",
        "fma(a, b, c)",
        "pow(a, b)",
        "mix(a, b, c)",
        "exp2(a)",
        "log(a)",
        "sin(a)",
        "sqrt(a)",
        "min(a, b)",
        "dot(vec2<f32>(a, b), vec2<f32>(b, c))",
        "length(vec2<f32>(a, b))",
        "unpack2x16float(bitcast<u32>(a)).x",
        "(vec2<f32>(a, b) * c).x",
        "select(a, b, a != a)",
        "select(a, b, c == c)",
    ] {
        assert!(
            !violations(&module_with(&["seal"], value)).is_empty(),
            "`{value}` passed"
        );
    }
}

#[test]
fn a_value_sealed_and_used_unsealed_too_is_found() {
    let body = "@group(0) @binding(0) var<storage, read_write> values: array<f32>;
        @compute @workgroup_size(1) fn main() {
            let product = values[0] * values[1];
            values[2] = seal(product);
            values[3] = seal_add(product, values[0]);
        }";
    let found = violations(&isobit_exact::join(&["seal"], body).unwrap());
    assert_eq!(found, ["`main`: an unsealed Multiply of floats"]);
}

#[test]
fn a_seal_of_the_modules_own_seals_nothing() {
    let own = "fn seal(x: f32) -> f32 { return x; }\n";
    let wgsl = own.to_owned() + &module_with(&["grid"], "seal(a * b)");
    assert_eq!(violations(&wgsl), ["`main`: an unsealed Multiply of floats"]);
}

#[test]
fn sealed_arithmetic_passes() {
    for value in [
        "seal(a + b)",
        "seal_mul(seal_add(a, -b), c)",
        "pair_mul(two_sum(a, b), two_product(b, c)).x",
        "select(a, b, a < b)",
        "floor(abs(a))",
        "f32(u32(a) * 3u / 2u)",
    ] {
        assert_eq!(violations(&module_with(&["seal"], value)), [""; 0], "`{value}`");
    }
    assert_eq!(
        violations(&module_with(&["divide", "square_root"], "square_root(divide(a, b))")),
        [""; 0]
    );
}
