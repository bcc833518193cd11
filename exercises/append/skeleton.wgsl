// append: row params.at of cache becomes x, and the other rows stay
// Bindings: 0 params, a uniform Params {n: u32, at: u32}; 1 x, to read; 2 cache, read_write.
// x and cache are array<f32>. x has n numbers, and so has each row of cache.
// Your lines go here: all of them, from the struct of params to main.
