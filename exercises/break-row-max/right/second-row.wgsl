// The first row is right, the second isn't.
const rows = 2u;
const cols = 3u;
const x = array(3.0, 1.0, 2.0,
    1.0, 2.0, 3.0);
