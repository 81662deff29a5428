"""A server of asyncua that does what it is told, one JSON line at a time."""

import asyncio
import json
import sys
from pathlib import Path

from asyncua import Server, ua
from asyncua.crypto.cert_gen import setup_self_signed_certificate
from cryptography.x509.oid import ExtendedKeyUsageOID

TYPES = {"double": ua.VariantType.Double, "int64": ua.VariantType.Int64, "bool": ua.VariantType.Boolean}
POLICIES = [
    ua.SecurityPolicyType.NoSecurity,
    ua.SecurityPolicyType.Basic256Sha256_SignAndEncrypt,
    ua.SecurityPolicyType.Aes128Sha256RsaOaep_Sign,
    ua.SecurityPolicyType.Aes256Sha256RsaPss_SignAndEncrypt,
]


async def start(port: int, folder: Path):
    server = Server()
    await server.init()
    server.set_endpoint(f"opc.tcp://127.0.0.1:{port}/works/")
    uri = "urn:works:plc"
    await server.set_application_uri(uri)
    uses = [ExtendedKeyUsageOID.CLIENT_AUTH, ExtendedKeyUsageOID.SERVER_AUTH]
    await setup_self_signed_certificate(folder / "key.pem", folder / "cert.der", uri, "localhost", uses, {})
    await server.load_certificate(str(folder / "cert.der"))
    await server.load_private_key(str(folder / "key.pem"))
    server.set_security_policy(POLICIES)
    space = await server.register_namespace("urn:works")
    variables = {}
    pump = await server.nodes.objects.add_object(ua.NodeId("Pump", space), "Pump")
    inlet = await pump.add_object(ua.NodeId("Inlet", space), "Inlet")
    for parent, name, value, kind in [
        (pump, "pressure", 1.5, "double"),
        (pump, "count", -3, "int64"),
        (inlet, "open", True, "bool"),
    ]:
        node = await parent.add_variable(ua.NodeId(name, space), name, value, TYPES[kind])
        variables[name] = (node, TYPES[kind])
    await server.start()
    return server, variables


async def main() -> None:
    port, folder = int(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    server, variables = None, {}
    while line := await asyncio.to_thread(sys.stdin.readline):
        command = json.loads(line)
        if command["do"] == "start":
            server, variables = await start(port, folder)
        elif command["do"] == "stop":
            await server.stop()
        elif command["do"] == "write":
            node, kind = variables[command["name"]]
            status = ua.StatusCode(getattr(ua.StatusCodes, command.get("status", "Good")))
            value = ua.DataValue(ua.Variant(command["value"], kind), status)
            await server.write_attribute_value(node.nodeid, value)
        print(json.dumps({"done": command["do"]}), flush=True)


asyncio.run(main())
