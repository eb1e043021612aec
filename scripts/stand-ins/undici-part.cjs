// Replaces HTTP/2 and fetch bodies of undici: only requests that this client never makes would call them.
function unsupported() {
  throw new Error('this build of the HTTP client has neither HTTP/2 nor fetch bodies');
}
module.exports = unsupported;
module.exports.extractBody = unsupported;
