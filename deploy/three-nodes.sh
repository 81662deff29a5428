#!/bin/sh
# Three NATS servers and three workers on this machine: sh deploy/three-nodes.sh [folder]
# Ctrl-C ends them; the folder keeps everything, and the next start goes on from there.
# Servers on ports 4222 to 4224, workers on 8401 to 8403; PORT_SHIFT=1000 moves them all.
set -eu
folder=${1:-./three-nodes}
shift_by=${PORT_SHIFT:-0}
pb_oel=${PB_OEL:-npx pb-oel}
# The one that the set-up of the tests has built comes first; distributions have old ones.
PATH=$(dirname "$0")/../.cache/bin:$PATH:/usr/sbin
command -v nats-server >/dev/null || { echo 'nats-server is missing: apt-get install nats-server' >&2; exit 2; }
case $(nats-server --version) in
  *v2.[0-9].* | *v2.10.*)
    echo "$(nats-server --version) is good for a trial only: use 2.11 or newer" >&2
    old=--allow-old-nats
    ;;
  *) old= ;;
esac
mkdir -p "$folder"

client() { echo $((4221 + $1 + shift_by)); }
route() { echo $((6221 + $1 + shift_by)); }
worker() { echo $((8400 + $1 + shift_by)); }

pids=
trap 'trap - EXIT INT TERM; kill $pids 2>/dev/null; wait' EXIT INT TERM

routes= servers=
for i in 1 2 3; do
  routes="$routes${routes:+, }nats-route://127.0.0.1:$(route $i)"
  servers="$servers${servers:+,}nats://127.0.0.1:$(client $i)"
done
for i in 1 2 3; do
  cat >"$folder/nats-$i.conf" <<END
server_name: nats-$i
listen: "127.0.0.1:$(client $i)"
jetstream { store_dir: "$folder/nats-$i" }
cluster { name: pb-oel, listen: "127.0.0.1:$(route $i)", routes: [$routes] }
END
  nats-server -c "$folder/nats-$i.conf" -l "$folder/nats-$i.log" &
  pids="$pids $!"
done
sleep 2
for i in 1 2 3; do
  $pb_oel serve --nats "$servers" --shards "${SHARDS:-12}" --port "$(worker $i)" $old >"$folder/worker-$i.log" 2>&1 &
  pids="$pids $!"
done
for i in 1 2 3; do
  until curl -sf "http://127.0.0.1:$(worker $i)/readyz" >/dev/null; do sleep 0.5; done
  echo "worker $i: http://127.0.0.1:$(worker $i)"
done
echo "NATS: $servers"
wait
