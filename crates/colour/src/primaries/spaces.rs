//! RGB spaces by their chromaticities, and the matrices that carry linear light from one to another. f64, at compile time.

/// Three rows of three columns.
pub type Matrix = [[f64; 3]; 3];

/// An RGB space: CIE 1931 chromaticities x, y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Space {
    /// Red, green and blue.
    pub primaries: [[f64; 2]; 3],
    /// The colour of equal red, green and blue.
    pub white: [f64; 2],
}

/// Display P3: the primaries of SMPTE RP 431-2 with the white D65.
pub const DISPLAY_P3: Space = Space {
    primaries: [[0.680, 0.320], [0.265, 0.690], [0.150, 0.060]],
    white: [0.3127, 0.3290],
};

/// ACEScg: the primaries AP1 with the white of ACES, about D60 (Academy S-2014-004).
pub const ACESCG: Space = Space {
    primaries: [[0.713, 0.293], [0.165, 0.830], [0.128, 0.044]],
    white: [0.32168, 0.33767],
};

/// Bradford's cone responses to XYZ (Lam 1985; the linear form of ICC.1 annex E).
const BRADFORD: Matrix = [
    [0.8951, 0.2664, -0.1614],
    [-0.7502, 1.7135, 0.0367],
    [0.0389, -0.0685, 1.0296],
];

/// The matrix from linear light of `from` to linear light of `to`: white becomes white.
pub const fn between(from: &Space, to: &Space) -> Matrix {
    let adapted = product(&adaptation(from.white, to.white), &to_xyz(from));
    product(&inverse(&to_xyz(to)), &adapted)
}

/// The matrix from linear light to XYZ, the white at Y = 1 (SMPTE RP 177).
pub const fn to_xyz(space: &Space) -> Matrix {
    let [r, g, b] = space.primaries;
    let [r, g, b] = [xyz(r), xyz(g), xyz(b)];
    let columns = [[r[0], g[0], b[0]], [r[1], g[1], b[1]], [r[2], g[2], b[2]]];
    let [r, g, b] = apply(&inverse(&columns), xyz(space.white));
    product(&columns, &diagonal([r, g, b]))
}

/// The matrix in XYZ that turns the white `from` into the white `to`, by Bradford.
pub const fn adaptation(from: [f64; 2], to: [f64; 2]) -> Matrix {
    let (from, to) = (apply(&BRADFORD, xyz(from)), apply(&BRADFORD, xyz(to)));
    let gains = [to[0] / from[0], to[1] / from[1], to[2] / from[2]];
    product(&inverse(&BRADFORD), &product(&diagonal(gains), &BRADFORD))
}

/// The XYZ of a chromaticity at Y = 1.
const fn xyz([x, y]: [f64; 2]) -> [f64; 3] {
    [x / y, 1.0, (1.0 - x - y) / y]
}

const fn diagonal([a, b, c]: [f64; 3]) -> Matrix {
    [[a, 0.0, 0.0], [0.0, b, 0.0], [0.0, 0.0, c]]
}

const fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

const fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

const fn apply(m: &Matrix, v: [f64; 3]) -> [f64; 3] {
    [dot(m[0], v), dot(m[1], v), dot(m[2], v)]
}

const fn transposed(m: &Matrix) -> Matrix {
    let [a, b, c] = *m;
    [[a[0], b[0], c[0]], [a[1], b[1], c[1]], [a[2], b[2], c[2]]]
}

const fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let b = transposed(b);
    // Row by row: the columns of b are now rows.
    [apply(&b, a[0]), apply(&b, a[1]), apply(&b, a[2])]
}

/// The adjugate over the determinant.
const fn inverse(m: &Matrix) -> Matrix {
    let [a, b, c] = *m;
    let columns = [cross(b, c), cross(c, a), cross(a, b)];
    let scale = 1.0 / dot(a, columns[0]);
    product(&transposed(&columns), &diagonal([scale, scale, scale]))
}
