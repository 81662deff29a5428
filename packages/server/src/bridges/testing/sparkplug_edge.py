"""An edge node of pysparkplug that does what it is told, one JSON line at a time, and says what it hears."""

import json
import os
import sys

import pysparkplug as sp
from pysparkplug import DataType, Device, EdgeNode, Message, Metric, NBirth, NData, QoS, Topic

TYPES = {"double": DataType.DOUBLE, "float": DataType.FLOAT, "int8": DataType.INT8, "int32": DataType.INT32,
         "int64": DataType.INT64, "bool": DataType.BOOLEAN, "string": DataType.STRING}


def say(**what) -> None:
    # One write for text and end of line: two threads speak.
    sys.stdout.write(f"{json.dumps(what)}\n")
    sys.stdout.flush()


def metrics(given) -> tuple[Metric, ...]:
    return tuple(
        Metric(timestamp=m["at"], name=m.get("name"), datatype=TYPES[m["type"]], value=m.get("value"), alias=m.get("alias"),
               is_null=m.get("value") is None)
        for m in given
    )


def birth(node: EdgeNode, seq: int) -> None:
    topic = Topic(message_type=sp.MessageType.NBIRTH, group_id=node.group_id, edge_node_id=node.edge_node_id)
    bd_seq = Metric(timestamp=1, name="bdSeq", datatype=DataType.INT64, value=0)
    payload = NBirth(timestamp=sp.get_current_timestamp(), seq=seq, metrics=(*node.metrics.values(), bd_seq))
    node._client.publish(Message(topic=topic, payload=payload, qos=QoS.AT_MOST_ONCE, retain=False), include_dtypes=True)


def data(node: EdgeNode, seq: int, given) -> None:
    topic = Topic(message_type=sp.MessageType.NDATA, group_id=node.group_id, edge_node_id=node.edge_node_id)
    payload = NData(timestamp=sp.get_current_timestamp(), seq=seq, metrics=metrics(given))
    # Without types: what an alias means was said at the birth.
    node._client.publish(Message(topic=topic, payload=payload, qos=QoS.AT_MOST_ONCE, retain=False), include_dtypes=False)


def main() -> None:
    node: EdgeNode
    for line in sys.stdin:
        command = json.loads(line)
        do = command.pop("do")
        if do == "connect":
            heard = lambda _, message: say(command=[m.name for m in message.payload.metrics])
            node = EdgeNode(command["group"], command["edge"], metrics(command["metrics"]), cmd_callback=heard)
            for name, given in command.get("devices", {}).items():
                node.register(Device(name, metrics(given)))
            node.connect("127.0.0.1", port=command["port"])
        elif do == "update":
            node.update(metrics(command["metrics"]))
        elif do == "update_device":
            node.update_device(command["device"], metrics(command["metrics"]))
        elif do == "deregister":
            node.deregister(command["device"])
        elif do == "birth":
            birth(node, command["seq"])
        elif do == "data":
            data(node, command["seq"], command["metrics"])
        elif do == "disconnect":
            node.disconnect()
        elif do == "crash":
            os._exit(1)
        say(done=do)


main()
