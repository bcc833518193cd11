// diagnosis: not-wgsl
// The cell wants my line.
out[0] = a[0] + b[0];
