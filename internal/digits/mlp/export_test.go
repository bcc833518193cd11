package mlp

// Decode is decode, for the tests outside the package.
var Decode = decode
