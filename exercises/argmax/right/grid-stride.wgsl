// goals: coalesced
alias Row = u32;
struct Size { height: u32, width: u32 }
@group(0) @binding(0) var<uniform> size: Size;
@group(0) @binding(1) var<storage, read> scores: array<f32>;
@group(0) @binding(2) var<storage, read_write> winners: array<u32>;

fn score(row: Row, column: u32) -> f32 { return scores[row * size.width + column]; }

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var row: Row = id.x; row < size.height; row += groups.x * 16u) {
        var winner: u32 = 0u;
        var c: u32 = 0u;
        while c < size.width {
            if !(score(row, c) <= score(row, winner)) { winner = c; }
            c++;
        }
        winners[row] = winner;
    }
}
