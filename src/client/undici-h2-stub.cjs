// Stands in for undici's HTTP/2 client in the bundle: ALPN never offers h2, so this is never called.
module.exports = function connectH2() {
  throw new Error('HTTP/2 is not supported');
};
