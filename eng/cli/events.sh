# The identity of the event log; event_archive.sh has its archive.

verb_events() { "events_${1//-/_}" "${@:2}"; }

events_identity() {
  local id
  need_postgres
  id=$(sql apexshop -c 'SELECT id FROM shop.log_identities ORDER BY generation DESC LIMIT 1')
  say "The event log has the identity $id."
}

events_new_identity() {
  local id
  need_postgres
  id=$(sql apexshop -c 'SELECT shop.renew_log_identity()')
  say "The event log has the identity $id now." \
    "Consumers of the log get 410 log.replaced once, and the Projector rebuilds the documents: ./apexshop rebuild status"
}
