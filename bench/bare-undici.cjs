// The part of undici that ucctl uses; bench/limits.ts bundles this file as ucctl bundles it.
const Agent = require('undici/lib/dispatcher/agent.js');

/** Sends a request on an agent and returns the reply as JSON. */
exports.send = (agent, options) =>
  new Promise((resolve, reject) => {
    const chunks = [];
    let status;
    agent.dispatch(options, {
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

exports.createAgent = () => new Agent({ allowH2: false });
