// Stands in for HTTP/2 and for fetch bodies: called only if a request were made that this client never makes.
function unsupported() {
  throw new Error('this build of the HTTP client has neither HTTP/2 nor fetch bodies');
}
module.exports = unsupported;
module.exports.extractBody = unsupported;
