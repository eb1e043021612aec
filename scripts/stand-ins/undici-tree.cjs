// Replaces undici's search tree of header names, which undici fills with 100 names at every start. If the tree does not contain a
// name, undici converts it itself, in 0.2 microseconds more on Node 20.
exports.tree = { lookup: () => null };
