/* The wrong shader:
var best = -3.4028234e38;
for (var c = me; c < dims.cols; c += SIZE) {
    best = max(best, x[row * dims.cols + c]);
}
shared_max[me] = best;
workgroupBarrier();
for (var half = SIZE / 2u; half > 0u; half /= 2u) {
    if (me < half) {
        shared_max[me] = max(shared_max[me], shared_max[me + half]);
    }
    workgroupBarrier();
}
if (me == 0u) {
    out[row] = shared_max[0];
}
*/
// A case for row-max: x has rows × cols numbers, one row after the other.
const rows = 1u;
const cols = 4u;
const x = array(9.0, 2.0, 5.0, 1.0);
