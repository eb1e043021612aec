// Replaces node:assert in undici, which only asserts conditions. The module is loaded for the error of a failed condition, because
// it loads four other modules of Node.
module.exports = (isTrue, message) => {
  if (!isTrue) require('node:assert')(isTrue, message);
};
