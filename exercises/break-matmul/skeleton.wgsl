/* The wrong shader:
var sum = 0.0;
for (var i = 0u; i < dims.k; i++) {
    sum += a[row * dims.k + i] * b[i * dims.k + col];
}
*/
// A case for matmul: a is m × k, b is k × n. The check fills them with numbers.
const m = 4u;
const n = 4u;
const k = 4u;
