import { Exit } from '../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../errors/hint.ts';
import { connectionTarget, type ConnectionError, UnconfirmedChangeError } from '../errors/service.ts';
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

/** The alert of a server that requires a client certificate (RFC 8446, 6.2). Earlier versions of TLS have no such alert. */
const clientCertificate = 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED';
const oldTls = 'the server does not support TLS 1.2 or later';
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
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: oldTls,
  ERR_SSL_UNSUPPORTED_PROTOCOL: oldTls,
  [clientCertificate]: 'the server requires a client certificate, which ucctl does not support',
  HTTPParserError: 'the reply is not valid HTTP',
  WEBSOCKET: 'the reply to the WebSocket handshake is not valid',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the reply are too large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the reply does not have the length in its header',
  TIMEOUT: 'timeout; use --timeout to wait longer',
  PROXY_407: 'the proxy requires a user name and password in its address, or rejects them',
  PROXY_403: 'the proxy does not allow the connection',
});

/** Returns the next step after a change that the service may have made. @param next the step after the check */
export function checkChangeFirst(next: Hint): Hint {
  return nextStep`check whether the change was made before you repeat it; then ${next}`;
}

/** Returns the failure for a missing reply: why the connection failed, and what to check. */
export function connectionFailure(error: ConnectionError): Failure {
  const { code, reached, redirectedFrom } = error;
  const certificate = certificateProblems[code];
  const problem = certificate ?? networkProblems[code] ?? proxyProblem(code) ?? tlsProblem(error);
  const where = connectionTarget(error.origin, error);
  const what = reached === 'no' ? `cannot connect to ${where}` : `no complete reply received from ${where}`;
  const message = problem ? `${what}: ${problem} (${code})` : error.message;
  const hint = redirectedFrom === undefined ? connectionHint(error, certificate !== undefined) : redirectHint;
  if (error instanceof UnconfirmedChangeError) {
    return {
      code: 'outcome_unknown',
      message: `${message}; the service may have made the change`,
      exit: Exit.outcomeUnknown,
      hint: checkChangeFirst(hint),
      retryable: false,
      request: error.request,
    };
  }
  return {
    code: certificate ? 'tls' : 'network',
    message,
    exit: Exit.network,
    hint,
    retryable: certificate === undefined && code !== clientCertificate,
  };
}

const redirectHint = nextStep`check the sign-in page of the network, which may have sent the redirect; then check the base URL: ${ucctl('config list --show-origin')}`;

/** Returns the problem of a proxy that rejected the connection with a status. */
function proxyProblem(code: string): string | undefined {
  const status = /^PROXY_(\d+)$/.exec(code)?.[1];
  return status === undefined ? undefined : `the proxy replied with HTTP ${status}`;
}

/** Returns the problem of a TLS error that concerns no certificate. */
function tlsProblem({ code, reached }: ConnectionError): string | undefined {
  if (!code.startsWith('ERR_SSL_')) return undefined;
  return reached === 'no' ? 'the TLS handshake failed' : 'TLS failed';
}

/**
 * The hint about certificate authorities applies to an unknown issuer only, not to a wrong host name or an
 * expired certificate.
 */
function connectionHint({ code, proxy, via }: ConnectionError, isCertificate: boolean): Hint {
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return nextStep`check the clock of this machine (${ucctl('doctor')}); if the clock is correct, contact the operator of the host`;
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' && proxy === undefined) {
    return nextStep`check the host name of the base URL: ${ucctl('config list --show-origin')}`;
  }
  if (isCertificate && code !== 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const replaced =
      via === undefined ? '' : `if the proxy ${via} inspects TLS, trust its certificate authority; `;
    return `${replaced}to trust another certificate authority, use --ca-file FILE or UCCTL_CA_FILE`;
  }
  if (proxy !== undefined || code.startsWith('PROXY_')) {
    return nextStep`check the proxy (--proxy, HTTPS_PROXY) or list the host in NO_PROXY; to test the proxy: ${ucctl('doctor')}`;
  }
  const hosts =
    via === undefined ? 'the base URL and the network' : `the proxy ${via}, the base URL and the network`;
  return nextStep`check ${hosts}: ${ucctl('config list --show-origin')}`;
}
