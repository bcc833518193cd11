// train/clock: it begins a step of the training.
//
// All steps of a training are the same passes. The few numbers that change from
// step to step are in a buffer that the device updates itself, without the host.
// One invocation counts the step, says where its samples start in the shuffled
// order, and sets how far Adam may go.
//
// The learning rate falls from `rate` to 0 along half a cosine: large steps
// first, then ever finer ones. Adam's averages start at 0 and are too small in
// the first steps; the two powers correct for that (Kingma and Ba, "Adam", end
// of section 2).

struct Plan {
    batch: u32,
    steps_per_epoch: u32,
    steps: u32, // in the whole training
    rate: f32,
    beta1: f32,
    beta2: f32,
}

struct Clock {
    step: u32, // 1 in the first step
    first: u32, // the step's first sample in the order
    rate: f32, // of this step, corrected
}

const PI = 3.14159265;

@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var<storage, read_write> clock: Clock;

@compute @workgroup_size(1)
fn main() {
    let done = clock.step;
    let step = f32(done + 1u);
    clock.step = done + 1u;
    clock.first = (done % plan.steps_per_epoch) * plan.batch;
    let cosine = 0.5 + 0.5 * cos(PI * f32(done) / f32(plan.steps));
    let correction = sqrt(1.0 - pow(plan.beta2, step)) / (1.0 - pow(plan.beta1, step));
    clock.rate = plan.rate * cosine * correction;
}
