import { Exit } from '../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../errors/hint.ts';
import type { ConnectionError } from '../errors/service.ts';
import type { Failure } from './failure.ts';

const certificateTroubles: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate chain ends in one that this machine does not trust',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the issuer of its certificate is not known to this machine',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the issuer of its certificate is not known to this machine',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; check the clock of this machine',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
};

const networkTroubles: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers there',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the name server does not answer',
  EHOSTUNREACH: 'there is no way to that host',
  ENETUNREACH: 'there is no way to that network',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'the connection was not accepted in time',
  UND_ERR_INVALID_ARG: 'a header or the address has characters that HTTP cannot carry',
  TIMEOUT: 'no answer in time; --timeout waits longer',
  PROXY_407: 'the proxy wants a user name and password in its address',
  PROXY_403: 'the proxy forbids it',
};

/** Why nothing came from the service, and what to look at. */
export function connectionFailure(error: ConnectionError): Failure {
  const { code, proxy } = error;
  const certificate = certificateTroubles[code];
  const trouble = certificate ?? networkTroubles[code];
  const where = proxy === undefined ? error.origin : `the proxy ${proxy}`;
  return {
    code: certificate ? 'tls' : 'network',
    message: trouble ? `cannot talk to ${where}: ${trouble} (${code})` : error.message,
    exit: Exit.network,
    hint: connectionHint(code, certificate !== undefined, proxy),
    retryable: !certificate,
  };
}

/** Another authority changes nothing for a certificate that names another host or has ended. */
function connectionHint(code: string, isCertificate: boolean, proxy: string | undefined): Hint {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return nextStep`check the host name of the base URL: ${ucctl('config list --show-origin')}`;
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return nextStep`check the clock of this machine (${ucctl('doctor')}); if it is right, tell who runs that host`;
  }
  if (isCertificate) return '--ca-file FILE or UCCTL_CA_FILE trusts further certificate authorities';
  if (proxy !== undefined || code.startsWith('PROXY_')) {
    return nextStep`check the proxy: --proxy, HTTPS_PROXY; NO_PROXY names hosts that need none; ${ucctl('doctor')} tries it`;
  }
  return nextStep`check the base URL and the network: ${ucctl('config list --show-origin')}`;
}
