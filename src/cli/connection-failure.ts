import { Exit } from '../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../errors/hint.ts';
import { connectionTarget, type ConnectionError } from '../errors/service.ts';
import type { Failure } from './failure.ts';
import { lookupTable } from '../platform/lookup-table.ts';

const certificateProblems: Readonly<Record<string, string>> = lookupTable({
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate chain ends in a certificate that this machine does not trust',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'this machine does not know the issuer of the certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'this machine does not know the issuer of the certificate',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet; check the clock of this machine',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
});

const networkProblems: Readonly<Record<string, string>> = lookupTable({
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'the DNS server does not respond',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_CONNECT_TIMEOUT: 'timeout while connecting',
  UND_ERR_INVALID_ARG: 'a header or the address contains characters that are not valid in HTTP',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not use TLS',
  TIMEOUT: 'timeout; use --timeout to wait longer',
  PROXY_407: 'the proxy requires a user name and password in its address',
  PROXY_403: 'the proxy does not allow the connection',
});

/** Returns the failure for a missing reply: why the connection failed, and what to check. */
export function connectionFailure(error: ConnectionError): Failure {
  const { code, proxy, reached, redirectedFrom } = error;
  const certificate = certificateProblems[code];
  const problem = certificate ?? networkProblems[code] ?? proxyProblem(code);
  const where = connectionTarget(error.origin, error);
  const what = reached === 'no' ? `cannot connect to ${where}` : `no complete reply received from ${where}`;
  return {
    code: certificate ? 'tls' : 'network',
    message: problem ? `${what}: ${problem} (${code})` : error.message,
    exit: Exit.network,
    hint:
      redirectedFrom === undefined ? connectionHint(code, certificate !== undefined, proxy) : redirectHint,
    retryable: !certificate,
  };
}

const redirectHint = nextStep`check the sign-in page of the network, which may have sent the redirect; then check the base URL: ${ucctl('config list --show-origin')}`;

/** Returns the problem of a proxy that rejected the connection with a status. */
function proxyProblem(code: string): string | undefined {
  const status = /^PROXY_(\d+)$/.exec(code)?.[1];
  return status === undefined ? undefined : `the proxy replied with HTTP ${status}`;
}

/**
 * The hint about certificate authorities applies to an unknown issuer only, not to a wrong host name or an
 * expired certificate.
 */
function connectionHint(code: string, isCertificate: boolean, proxy: string | undefined): Hint {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return nextStep`check the host name of the base URL: ${ucctl('config list --show-origin')}`;
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return nextStep`check the clock of this machine (${ucctl('doctor')}); if the clock is correct, contact the operator of the host`;
  }
  if (isCertificate) return 'to trust another certificate authority, use --ca-file FILE or UCCTL_CA_FILE';
  if (proxy !== undefined || code.startsWith('PROXY_')) {
    return nextStep`check the proxy (--proxy, HTTPS_PROXY) or list the host in NO_PROXY; to test the proxy: ${ucctl('doctor')}`;
  }
  return nextStep`check the base URL and the network: ${ucctl('config list --show-origin')}`;
}
