//! Complaints about files, and what well-formed ones mean.

use camino::Utf8PathBuf;
use isobit::tolerance::Rule;

use super::*;

/// A workspace root whose `ci/` is minimal and well-formed.
struct Root(tempfile::TempDir);

impl Root {
    fn new() -> Self {
        let root = Self(tempfile::tempdir().unwrap());
        root.write(MATRIX, "lane = []\n[quick]\nfixtures = []\ndepths = []\n");
        for empty in [GATE, DEVICES, EXPECTATIONS] {
            root.write(empty, "");
        }
        root
    }

    fn path(&self) -> Utf8PathBuf {
        Utf8PathBuf::from_path_buf(self.0.path().to_owned()).unwrap()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn with(path: &str, text: &str) -> Result<Config, String> {
        let root = Self::new();
        root.write(path, text);
        Config::load(&root.path()).map_err(|error| error.to_string())
    }
}

fn refused(path: &str, text: &str) -> String {
    Root::with(path, text).expect_err("the file is wrong")
}

/// A gate entry with these lines in its only row.
fn gate(lines: &str) -> String {
    format!("[[kernel.psnr.exact]]\nmetrics = [\"psnr_y\"]\nreason = \"r\"\n{lines}\n")
}

#[test]
fn the_workspace_is_well_formed() {
    let root = Utf8PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let config = Config::load(&root).unwrap();
    assert!(config.matrix.lanes.iter().any(|lane| lane.default));
    assert!(config.gate.iter().count() > 0);
}

#[test]
fn an_unknown_field_is_located_and_the_nearest_is_offered() {
    assert_eq!(
        refused(GATE, &gate("rule = \"abs\"\nabs = 1.0\nresaon = \"x\"")),
        "`ci/gate.toml` line 6 column 1: unknown field `resaon`\nhint: did you mean `reason`?"
    );
    assert_eq!(
        refused(MATRIX, "lane = []\n[quick]\nfixtures = []\ndepth = [\"8\"]\n"),
        "`ci/matrix.toml` line 4 column 1: unknown field `depth`\nhint: did you mean `depths`?"
    );
    assert_eq!(
        refused(EXPECTATIONS, "colour = 1\n"),
        "`ci/expectations.toml` line 1 column 1: unknown field `colour`\nhint: the valid names are `expectation`"
    );
}

#[test]
fn an_unknown_value_is_located_and_the_nearest_is_offered() {
    let message = refused(
        EXPECTATIONS,
        "[[expectation]]\nkernel = \"k\"\ntwin = \"t\"\nformat = \"*\"\nfixture = \"*\"\nlane = \"l\"\nstatus = \"FIAL\"\nreason = \"r\"\nlink = \"l\"\n",
    );
    assert_eq!(
        message,
        "`ci/expectations.toml` line 7 column 10: unknown variant `FIAL`\nhint: did you mean `FAIL`?"
    );
}

#[test]
fn a_missing_field_and_broken_syntax_are_located() {
    let message = refused(
        GATE,
        "[[kernel.psnr.exact]]\nmetrics = [\"psnr_y\"]\nrule = \"exact\"\n",
    );
    assert!(
        message.starts_with("`ci/gate.toml` line 1 column 1: missing field `reason`"),
        "{message}"
    );
    let message = refused(DEVICES, "# über\n[[calibration]\n");
    assert!(message.starts_with("`ci/devices.toml` line 2 column 15: "), "{message}");
    let message = refused(GATE, "[[kernel.psnr.exact]]\nmetrics = [\"psnr_y\", 7]\n");
    assert!(
        message.starts_with("`ci/gate.toml` line 2 column 22: invalid type"),
        "{message}"
    );
}

#[test]
fn a_missing_file_is_named_with_what_to_do() {
    let root = Root::new();
    std::fs::remove_file(root.path().join(GATE)).unwrap();
    let message = Config::load(&root.path()).unwrap_err().to_string();
    assert!(message.starts_with("`ci/gate.toml` cannot be read: "), "{message}");
    assert!(message.contains("\nhint: "), "{message}");
}

#[test]
fn a_rule_takes_its_own_bounds_and_no_others() {
    let refused = |lines: &str| refused(GATE, &gate(lines));
    assert!(refused("rule = \"abs\"").contains("rule `abs`: missing field `abs`"));
    assert!(refused("rule = \"abs\"\nabs = 1.0\nrel = 1.0").contains("rule `abs`: unknown field `rel`"));
    assert!(refused("rule = \"ranking\"\nabs = 1.0").contains("rule `ranking` takes no `abs`"));
    assert!(refused("rule = \"abs\"\nabs = -1.0").contains("`abs` is not a finite number of at least 0"));
    assert!(refused("rule = \"abs\"\nabs = nan").contains("`abs` is not a finite number of at least 0"));
    let message = refused("rule = \"abs-ref\"\nabs = 1.0");
    assert!(message.ends_with("hint: did you mean `abs-rel`?"), "{message}");
    let message = refused("rule = \"exact\"\narea = { reference = [4, 4], exponent = 0.5 }");
    assert!(message.contains("rule `exact` has no bound"), "{message}");
    let empty = "[[kernel.k.t]]\nmetrics = []\nrule = \"exact\"\nreason = \"r\"\n";
    assert!(super::tests::refused(GATE, empty).contains("`metrics` names no metric"));
    let silent = "[[kernel.k.t]]\nmetrics = [\"m\"]\nrule = \"exact\"\nreason = \" \"\n";
    assert!(super::tests::refused(GATE, silent).contains("`reason` is empty"));
}

#[test]
fn every_rule_can_be_written() {
    let rules = [
        ("rule = \"exact\"", Rule::EXACT),
        (
            "rule = \"exact\"\nzero_signs_agree = true",
            Rule::Exact { zero_signs_agree: true },
        ),
        ("rule = \"abs\"\nabs = 1", Rule::Abs { abs: 1.0 }),
        (
            "rule = \"abs-rel\"\nabs = 1e-6\nrel = 1e-5",
            Rule::AbsRel { abs: 1e-6, rel: 1e-5 },
        ),
        ("rule = \"ulp\"\nulp = 4", Rule::Ulp { ulp: 4 }),
        (
            "rule = \"delta-e-ok\"\ndelta_e = 0.001",
            Rule::DeltaEOk { delta_e: 0.001 },
        ),
        (
            "rule = \"delta-e2000\"\ndelta_e = 0.5",
            Rule::DeltaE2000 { delta_e: 0.5 },
        ),
        (
            "rule = \"normwise\"\nnormwise = 2e-5",
            Rule::Normwise { normwise: 2e-5 },
        ),
        ("rule = \"rmse\"\nrmse = 1e-4", Rule::Rmse { rmse: 1e-4 }),
        ("rule = \"nrmse\"\nnrmse = 1e-4", Rule::Nrmse { nrmse: 1e-4 }),
        ("rule = \"ranking\"", Rule::Ranking),
        ("rule = \"fp16\"", Rule::Fp16),
    ];
    for (lines, rule) in rules {
        let config = Root::with(GATE, &gate(lines)).unwrap();
        let rows: Vec<_> = config.gate.rows("psnr", "exact", "psnr_y").collect();
        assert_eq!(rows.len(), 1, "{lines}");
        assert_eq!(rows[0].rule, rule, "{lines}");
        assert_eq!(config.gate.rows("psnr", "exact", "psnr_u").count(), 0);
    }
}

#[test]
fn calibrations_and_expectations_can_be_written() {
    let text = "[[calibration]]\ndevices = \"vulkan/NVIDIA *\"\n[[calibration.kernel.tone.native]]\n\
                metrics = [\"tone\"]\nrule = \"ulp\"\nulp = 4\nreason = \"measured\"\n";
    let config = Root::with(DEVICES, text).unwrap();
    let rows: Vec<_> = config.devices[0].kernel.rows("tone", "native", "tone").collect();
    assert_eq!(rows[0].rule, Rule::Ulp { ulp: 4 });
    let message = refused(DEVICES, &text.replace("devices =", "device ="));
    assert!(
        message.contains("line 2 column 1: unknown field `device`\nhint: did you mean `devices`?"),
        "{message}"
    );
    let message = refused(DEVICES, &text.replace("ulp = 4", "upl = 4"));
    assert!(
        message.contains("line 6 column 1: unknown field `upl`\nhint: did you mean `ulp`?"),
        "{message}"
    );

    let text = "[[expectation]]\nkernel = \"psnr\"\ntwin = \"exact\"\nformat = \"yuv420-*\"\nfixture = \"*\"\n\
                lane = \"lavapipe\"\ndriver = \"llvmpipe Mesa 22*\"\nstatus = \"ERROR\"\nreason = \"r\"\nlink = \"l\"\n";
    let config = Root::with(EXPECTATIONS, text).unwrap();
    let expectation = &config.expectations[0];
    assert_eq!(expectation.status, Expected::Error);
    assert!(expectation.covers("psnr", "exact", "yuv420-10", "scene", "lavapipe"));
    assert!(!expectation.covers("psnr", "exact", "yuv422-10", "scene", "lavapipe"));
    assert!(!expectation.covers("psnr", "exact", "yuv420-10", "scene", "swiftshader"));
    assert_eq!(
        expectation.scope(),
        "psnr/exact yuv420-* * lavapipe (llvmpipe Mesa 22*)"
    );
}

#[test]
fn fragments_and_records_are_known_by_their_file_names() {
    let text = "twin = \"exact\"\nadr = [\"0001\", \"0003\"]\nroutes = [\"integer\"]\nevidence = \"measured\"\n";
    let config = Root::with("ci/exact_twins.d/psnr.lavapipe.toml", text).unwrap();
    let fragment = config.fragment("psnr", "exact", "lavapipe").unwrap();
    assert_eq!(fragment.label(), "exact:0001+0003");
    assert_eq!(fragment.path(), "ci/exact_twins.d/psnr.lavapipe.toml");
    assert!(config.fragment("psnr", "exact", "swiftshader").is_none());

    let message = refused("ci/exact_twins.d/psnr.toml", text);
    assert!(
        message.starts_with("`ci/exact_twins.d/psnr.toml` is not named after a kernel and a lane"),
        "{message}"
    );
    let message = refused("ci/exact_twins.d/psnr.lavapipe.toml", &text.replace("twin", "twni"));
    assert!(
        message.contains("line 1 column 1: unknown field `twni`\nhint: did you mean `twin`?"),
        "{message}"
    );
    let message = refused("ci/records.d/psnr.lavapipe.toml", "twin = ");
    assert!(
        message.starts_with("`ci/records.d/psnr.lavapipe.toml` line 1 column "),
        "{message}"
    );
}

#[test]
fn a_lane_is_declared_once() {
    let lane = "[[lane]]\nname = \"a\"\nsummary = \"s\"\ndefault = true\ntimeout_s = 1\n\
                adapter = { backend = \"vulkan\", kinds = [\"cpu\"], name = \"*\", driver = \"*\" }\n";
    let text = format!("{lane}{lane}[quick]\nfixtures = []\ndepths = []\n");
    assert!(refused(MATRIX, &text).starts_with("`ci/matrix.toml` declares lane `a` twice"));
}

#[test]
fn bounds_grow_beyond_the_reference_area_only() {
    let area = Area {
        reference: [576, 324],
        exponent: 0.5,
    };
    assert_eq!(area.factor(576, 324), 1.0);
    assert_eq!(area.factor(1, 1), 1.0);
    assert!((area.factor(2304, 1296) - 4.0).abs() < 1e-12);
}

#[test]
fn a_pattern_is_as_specific_as_its_literal_prefix() {
    let calibration = |devices: &str| Calibration {
        devices: devices.to_owned(),
        kernel: Entries::default(),
    };
    assert_eq!(calibration("vulkan/NVIDIA*").literal_prefix(), 13);
    assert_eq!(calibration("*").literal_prefix(), 0);
    assert!(calibration("vulkan/NVIDIA*").covers("vulkan", "NVIDIA H200"));
    assert!(!calibration("vulkan/NVIDIA*").covers("gl", "NVIDIA H200"));
}

/// A matrix with a lane in containers; `releases` is its line, which may be wrong.
fn contained(releases: &str) -> String {
    format!(
        "[[lane]]\nname = \"soft\"\nsummary = \"s\"\ndefault = true\ntimeout_s = 1\ndriver = \"lavapipe\"\n{releases}\n\
         adapter = {{ backend = \"vulkan\", kinds = [\"cpu\"], name = \"*\", driver = \"*\" }}\n\
         [[release]]\nname = \"old\"\nimage = \"i:old\"\n[[release]]\nname = \"new\"\nimage = \"i:new\"\n\
         versions = {{ lavapipe = \"25.*\" }}\n[quick]\nfixtures = []\ndepths = []\n"
    )
}

#[test]
fn a_release_of_a_lane_is_a_lane_of_its_own() {
    let config = Root::with(MATRIX, &contained("releases = [\"old\", \"new\"]")).unwrap();
    let lanes: Vec<_> = config.matrix.lanes.iter().map(|lane| lane.name.as_str()).collect();
    assert_eq!(lanes, ["soft", "soft@old", "soft@new"]);
    let new = config.lane("soft@new").unwrap();
    assert_eq!((new.driver.as_deref(), new.default), (Some("lavapipe@new"), false));
    assert_eq!(config.matrix.release("new").unwrap().versions["lavapipe"], "25.*");
    assert!(new.answers_to("soft") && new.answers_to("soft@new") && !new.answers_to("soft@old"));
    assert!(!config.lane("soft").unwrap().answers_to("soft@new"));
}

#[test]
fn what_is_declared_for_a_lane_holds_for_its_containers() {
    let text = "twin = \"exact\"\nadr = [\"0001\"]\nroutes = [\"integer\"]\nevidence = \"e\"\n";
    let config = Root::with("ci/exact_twins.d/psnr.soft.toml", text).unwrap();
    assert!(config.fragment("psnr", "exact", "soft@new").is_some());
    assert!(config.fragment("psnr", "exact", "softer@new").is_none());
    let calibration = Calibration {
        devices: "soft/llvmpipe*".to_owned(),
        kernel: Entries::default(),
    };
    assert!(calibration.covers("soft@new", "llvmpipe (LLVM 19)"));
    assert!(!calibration.covers("hard@new", "llvmpipe (LLVM 19)"));
}

#[test]
fn containers_need_a_release_and_a_driver() {
    let message = refused(MATRIX, &contained("releases = [\"older\"]"));
    assert!(
        message.starts_with("`ci/matrix.toml`: lane `soft` names release `older`, which is not declared\nhint: "),
        "{message}"
    );
    let driverless = contained("releases = [\"old\"]").replace("driver = \"lavapipe\"\n", "");
    assert!(refused(MATRIX, &driverless).contains("lane `soft` names releases, and no `driver`"));
}

#[test]
fn a_worker_of_its_own_has_no_containers() {
    let worker = "worker = { package = \"p\", main = \"m.mjs\" }";
    let config = Root::with(MATRIX, &contained(worker)).unwrap();
    assert_eq!(config.lane("soft").unwrap().worker.as_ref().unwrap().main, "m.mjs");
    let message = refused(MATRIX, &contained(&format!("{worker}\nreleases = [\"old\"]")));
    assert!(message.contains("their containers hold no `worker`"), "{message}");
}
