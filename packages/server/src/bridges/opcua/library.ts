/** The library, as far as the bridge uses it; it is loaded when a bridge needs it. */
export type OpcUa = typeof import('node-opcua-client')

/** Loads the library. It writes to the console by default; what matters comes as errors. */
export async function loadOpcUa() {
  const library: OpcUa = await import('node-opcua-client')
  const { OPCUACertificateManager } = await import('node-opcua-certificate-manager')
  const silent = () => {}
  for (const set of [library.setDebugLogger, library.setWarningLogger, library.setErrorLogger]) set(silent)
  return { library, OPCUACertificateManager }
}
