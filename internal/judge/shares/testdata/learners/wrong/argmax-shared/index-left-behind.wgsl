// argmax-shared: for each row the index of its largest value; one workgroup takes one row
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

struct Best {
    value: f32,
    col: u32,
}
var<workgroup> pool: array<Best, SIZE>;
fn beats(p: Best, q: Best) -> bool {
    return p.value > q.value || (p.value == q.value && p.col < q.col);
}

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    var mine = Best(-3.4028234e38, 0xffffffffu);
    for (var c = me; c < dims.cols; c += SIZE) {
        let other = Best(x[group.x * dims.cols + c], c);
        if (beats(other, mine)) { mine = other; }
    }
    pool[me] = mine;
    for (var h = SIZE / 2u; h > 0u; h /= 2u) {
        workgroupBarrier();
        if (me < h) {
            if (beats(pool[me + h], pool[me])) {
                pool[me].value = pool[me + h].value;
            }
        }
    }
    if (me == 0u) { out[group.x] = pool[0].col; }
}
