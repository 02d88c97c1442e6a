import { local, type Place } from './place.ts'

/** The arguments of one of the etcds. */
export function etcdArguments(place: Place, places: readonly Place[], data: string): readonly string[] {
  const own = `http://${local(place.etcd)}`
  const toPeers = `http://${local(place.peers)}`
  return Object.entries({
    name: place.name,
    'data-dir': data,
    'listen-client-urls': own,
    'advertise-client-urls': own,
    'listen-peer-urls': toPeers,
    'initial-advertise-peer-urls': toPeers,
    'initial-cluster': places.map(({ name, peers }) => `${name}=http://${local(peers)}`).join(','),
    logger: 'zap',
    'log-level': 'error',
  }).map(([name, value]) => `--${name}=${value}`)
}
