// CIEDE2000 of linear light in plain f32.
fn native_difference(a: vec3<f32>, b: vec3<f32>) -> f32 {
    let first = native_cielab(a);
    let second = native_cielab(b);
    let stretch = 1.5 - 0.5 * sqrt(native_seventh((length(first.yz) + length(second.yz)) * 0.5));
    let v1 = vec2<f32>(stretch * first.y, first.z);
    let v2 = vec2<f32>(stretch * second.y, second.z);
    let c1 = length(v1);
    let c2 = length(v2);
    let grey = c1 == 0.0 || c2 == 0.0;
    let h1 = native_hue(v1);
    let h2 = native_hue(v2);
    let turn = h2 - h1;
    let cross_product = v1.x * v2.y - v1.y * v2.x;
    let dot_product = v1.x * v2.x + v1.y * v2.y;
    let opposite = dot_product < 0.0 && abs(cross_product) <= OPPOSITE * -dot_product;
    let wraps = abs(turn) > HALF_TURN && !opposite;
    var angle = turn;
    if wraps {
        angle = turn - sign(turn) * TWO_PI;
    }
    if grey {
        angle = 0.0;
    }
    let dh = 2.0 * sqrt(c1 * c2) * sin(angle * 0.5);
    let l = (first.x + second.x) * 0.5;
    let c = (c1 + c2) * 0.5;
    let sum = h1 + h2;
    var h = sum * 0.5;
    if grey {
        h = sum;
    } else if wraps {
        h = (sum + select(-TWO_PI, TWO_PI, sum < TWO_PI)) * 0.5;
    }
    let t = 1.0 - 0.17 * cos(h - ANGLE_30) + 0.24 * cos(2.0 * h) + 0.32 * cos(3.0 * h + ANGLE_6)
        - 0.2 * cos(4.0 * h - ANGLE_63);
    let from_50 = (l - 50.0) * (l - 50.0);
    let around_blue = (h - ANGLE_275) * ANGLE_25_INVERSE;
    let rt = -2.0 * sqrt(native_seventh(c)) * sin(ANGLE_60 * exp(-around_blue * around_blue));
    let dl = (second.x - first.x) / (1.0 + 0.015 * from_50 / sqrt(20.0 + from_50));
    let dc = (c2 - c1) / (1.0 + 0.045 * c);
    let dhw = dh / (1.0 + 0.015 * c * t);
    return sqrt(max(dl * dl + dc * dc + dhw * dhw + rt * dc * dhw, 0.0));
}

fn native_cielab(linear: vec3<f32>) -> vec3<f32> {
    let t = vec3<f32>(
        CIE_00 * linear.x + CIE_01 * linear.y + CIE_02 * linear.z,
        CIE_10 * linear.x + CIE_11 * linear.y + CIE_12 * linear.z,
        CIE_20 * linear.x + CIE_21 * linear.y + CIE_22 * linear.z,
    );
    let root = pow(max(t, vec3<f32>(CIE_BRANCH)), vec3<f32>(1.0 / 3.0));
    let f = select(CIE_SLOPE * t + CIE_OFFSET, root, t > vec3<f32>(CIE_BRANCH));
    return vec3<f32>(116.0 * f.y - 16.0, 500.0 * (f.x - f.y), 200.0 * (f.y - f.z));
}

fn native_seventh(chroma: f32) -> f32 {
    let c = min(chroma, 1000.0);
    let square = c * c;
    let seventh_power = square * square * square * c;
    return seventh_power / (seventh_power + CHROMA_25);
}

fn native_hue(v: vec2<f32>) -> f32 {
    if v.x == 0.0 && v.y == 0.0 {
        return 0.0;
    }
    let angle = atan2(v.y, v.x);
    return select(angle, angle + TWO_PI, angle < 0.0);
}
