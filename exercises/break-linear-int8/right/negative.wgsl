// Below zero there is an end as well: three products of -128 and 127.
const m = 1u;
const n = 1u;
const k = 4u;
const x = array(0x80808000u);
const w = array(0x7f7f7f7fu);
