package lab

// PrintingFormatted is a vector-add that prints a strip and a table, and Printing the same without
// a layout.
const (
	Printing = `@group(0) @binding(0) var<storage,read> a:array<f32>;
@group(0) @binding(1) var<storage,read> b:array<f32>;
@group(0) @binding(2) var<storage,read_write> out:array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id:vec3u){
let i=id.x; // print: i
if(i<arrayLength(&out)){
out[i]=a[i]+b[i]; // print if i % 16u == 3u: i, out[i]
}
}
`
	PrintingFormatted = `@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x; // print: i
    if (i < arrayLength(&out)) {
        out[i] = a[i] + b[i]; // print if i % 16u == 3u: i, out[i]
    }
}
`
)
