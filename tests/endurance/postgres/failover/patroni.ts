import { local, type Place } from './place.ts'
import type { Settings } from './settings.ts'

export interface PatroniOptions {
  readonly place: Place
  readonly places: readonly Place[]
  readonly folder: string
  readonly binaries: string
  readonly password: string
  readonly settings: Settings
}

/** The configuration of one of the Patronis: JSON, which is YAML too. */
export function patroniConfiguration({
  place,
  places,
  folder,
  binaries,
  password,
  settings: { ttl, synchronous },
}: PatroniOptions): string {
  // A primary must be able to try twice, and to look once, before it is replaced.
  const third = Math.floor(ttl / 3)
  return JSON.stringify(
    {
      scope: 'minutebook',
      name: place.name,
      restapi: { listen: local(place.patroni), connect_address: local(place.patroni) },
      etcd3: { hosts: places.map(({ etcd }) => local(etcd)) },
      bootstrap: {
        dcs: {
          ttl,
          loop_wait: third,
          retry_timeout: third,
          synchronous_mode: synchronous,
          postgresql: { use_pg_rewind: true, use_slots: true },
        },
        initdb: [
          { encoding: 'UTF8' },
          { locale: 'C' },
          { 'locale-provider': 'icu' },
          { 'icu-locale': 'en-US' },
          'data-checksums',
        ],
      },
      postgresql: {
        listen: local(place.postgres),
        connect_address: local(place.postgres),
        data_dir: `${folder}/data`,
        bin_dir: binaries,
        pgpass: `${folder}/pgpass`,
        authentication: {
          superuser: { username: 'postgres', password },
          replication: { username: 'replication', password },
        },
        pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication replication 127.0.0.1/32 scram-sha-256'],
        parameters: {
          unix_socket_directories: '',
          dynamic_shared_memory_type: 'mmap',
          password_encryption: 'scram-sha-256',
        },
      },
    },
    null,
    2,
  )
}
