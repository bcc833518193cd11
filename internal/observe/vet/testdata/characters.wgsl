/* Größe 😀 */ var<private> größe: f32 = 1u; // 字
/* 😀 */ var<private> b: f32 = "x";
