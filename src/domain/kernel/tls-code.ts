/** Codes of certificate verification: the X.509 codes in the docs of node:tls, and that of another host name. */
const CERTIFICATE =
  /^(ERR_TLS_CERT_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERROR_IN_C|HOSTNAME_MISMATCH$|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$)/;
/** Codes of OpenSSL and of Node's TLS layer. */
const HANDSHAKE = /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO$)/;

/** Whether this process refuses the certificate of the server. */
export const isRefusedCertificate = (code: string): boolean => CERTIFICATE.test(code);

export const isTlsFailure = (code: string): boolean => CERTIFICATE.test(code) || HANDSHAKE.test(code);
