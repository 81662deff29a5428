/**
 * What tests need of the machine, looked for in one place. Each is the path of a program, or `undefined` where it is
 * missing. A test that needs it is skipped then and its title ends in "(needs …)"; scripts/skips.ts judges the skips.
 */
export declare const CHROMIUM: string | undefined
/** Any nats-server, for what needs no promise of it. */
export declare const ANY_NATS_SERVER: string | undefined
/** One that workers do not refuse: from 2.11 on. */
export declare const NATS_SERVER: string | undefined
export declare const MOSQUITTO: string | undefined
export declare const OPENSSL: string | undefined
export declare const CURL: string | undefined
/** The simulated disk stands between a process and the C library of Linux. */
export declare const GCC: string | undefined
/** Python with the packages of python/pyproject.toml, as the set-up installs them. */
export declare const PYTHON: string | undefined
