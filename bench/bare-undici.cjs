// The part of undici that ucctl uses; bench/limits.ts bundles this file as ucctl bundles it.
const Pool = require('undici/lib/dispatcher/pool.js');

/** Sends a request on a pool and returns the reply as JSON. */
exports.send = (pool, options) =>
  new Promise((resolve, reject) => {
    const chunks = [];
    let status;
    pool.dispatch(options, {
      onConnect: () => undefined,
      onHeaders(code) {
        status = code;
        return true;
      },
      onData: (chunk) => chunks.push(chunk) > 0,
      onComplete() {
        if (status === 200) resolve(JSON.parse(Buffer.concat(chunks).toString()));
        else reject(new Error(`status ${status}`));
      },
      onError: reject,
    });
  });

exports.createPool = (origin) => new Pool(origin, { allowH2: false });
