/** The names under which the processes of an installation keep values in `service_settings`; no two are the same. */
export const KEPT_NAMES = {
  /** Where the server that started last answers. */
  serverUrl: 'server_url',
  /** Tells which key the secrets are sealed with. */
  keyFingerprint: 'encryption_key_fingerprint',
  /** Which version of Agenda's tables was made. */
  agendaTables: 'agenda_tables',
  /** Where the next search of parked statuses begins: among those that arrived lately, and among all before them. */
  parkedStatusesLatePlace: 'parked_statuses_late_place',
  parkedStatusesPlace: 'parked_statuses_place',
} as const
