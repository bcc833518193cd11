@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var sum = 0u;
    for (var k = 0u; k < id.x; k++) { // print: k
        sum += k; // print if k == 2u: sum
        if (sum > 9u) { break; // print: sum
        }
    }
    var n = 0u;
    loop {
        n++; // print: n
        if (n < 2u) { continue; }
        continuing {
            break if n > 2u;
        }
    } // print: n, sum
    switch id.x {
        case 1u, 2u: { // print: id.x
        }
        default: {}
    }
    while n > 0u { n--; // print if id.x == 7u: n
    }
}
