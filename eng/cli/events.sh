# The identity of the event log.

verb_events() {
  [[ ${1:-} == new-identity ]] || fail "There is no 'events ${1:-}'; this exists:" \
    "events new-identity   after a restore that the shop cannot detect (a copied data directory, a snapshot of a disk):" \
    "                      gives the event log another identity, so that consumers, caches and documents start again"
  load_settings
  find_postgres || [[ $ENGINE == docker ]]
  say "The event log has the identity $(sql apexshop -c 'SELECT shop.renew_log_identity()') now." \
    "Consumers of the log get 410 log.replaced once, and the Projector rebuilds the documents: ./apexshop rebuild status"
}
