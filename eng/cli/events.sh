# The identity of the event log.

verb_events() {
  load_settings
  find_postgres || [[ $ENGINE == docker ]]
  "events_${1//-/_}"
}

events_identity() {
  say "The event log has the identity $(
    sql apexshop -c 'SELECT id FROM shop.log_identities ORDER BY generation DESC LIMIT 1')."
}

events_new_identity() {
  say "The event log has the identity $(sql apexshop -c 'SELECT shop.renew_log_identity()') now." \
    "Consumers of the log get 410 log.replaced once, and the Projector rebuilds the documents: ./apexshop rebuild status"
}
