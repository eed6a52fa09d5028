# The identity of the event log.

verb_events() {
  need_postgres
  "events_${1//-/_}"
}

events_identity() {
  local id
  id=$(sql apexshop -c 'SELECT id FROM shop.log_identities ORDER BY generation DESC LIMIT 1')
  say "The event log has the identity $id."
}

events_new_identity() {
  local id
  id=$(sql apexshop -c 'SELECT shop.renew_log_identity()')
  say "The event log has the identity $id now." \
    "Consumers of the log get 410 log.replaced once, and the Projector rebuilds the documents: ./apexshop rebuild status"
}
