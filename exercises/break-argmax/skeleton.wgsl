/* The wrong shader:
var best = x[start];
var index = 0u;
for (var col = 1u; col < dims.cols; col++) {
    let value = x[start + col];
    if (value >= best) {
        best = value;
        index = col;
    }
}
out[row] = index;
*/
// A case for argmax: x has rows × cols numbers, one row after the other.
const rows = 1u;
const cols = 4u;
const x = array(2.0, 9.0, 5.0, 1.0);
