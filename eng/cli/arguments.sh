# The arguments of every verb, by the table in verbs.txt. An unknown option or a wrong number of operands is refused.

# Sets SCOPES, USAGES and TEXTS, and OPTION_<NAME> of every option to nothing.
load_verbs() {
  local scope usage text options=''
  SCOPES=() USAGES=() TEXTS=()
  while IFS='|' read -r scope usage text; do
    [[ $scope != '#'* ]] || continue
    usage=${usage# }
    SCOPES+=("${scope%"${scope##*[! ]}"}") USAGES+=("${usage%"${usage##*[! ]}"}") TEXTS+=("${text# }")
    [[ $usage != -* ]] || options+="${usage%% *} "
  done <"$ROOT/eng/cli/verbs.txt"
  for usage in $(option_variables "$options"); do printf -v "$usage" '%s' ''; done
}

# option_variables "--dry-run --to": OPTION_DRY_RUN OPTION_TO. Bash changes letters by the language of its user, in
# which the capital of i is not always I.
option_variables() { sed 's/--/OPTION_/g' <<<"$1" | LC_ALL=C tr a-z- A-Z_; }

all_verbs() { printf '%s\n' "${SCOPES[@]%% *}" | awk '!seen[$0]++'; }

is_verb() { [[ -n $1 && $1 != *' '* && " ${SCOPES[*]%% *} " == *" $1 "* ]]; }

# commands_of VERB: nothing for a verb without commands.
commands_of() { printf '%s\n' "${SCOPES[@]}" | sed -n "s/^$1 //p" | awk '!seen[$0]++'; }

# operands_of SCOPE: the usage of its operands.
operands_of() {
  local i
  for i in "${!SCOPES[@]}"; do
    [[ ${SCOPES[i]} != "$1" || ${USAGES[i]} == -* ]] || { printf '%s\n' "${USAGES[i]}" && return; }
  done
}

# options_of SCOPE: the usages of its options and of its verb's, a line each.
options_of() {
  local i
  for i in "${!SCOPES[@]}"; do
    [[ ${USAGES[i]} != -* || $1 != "${SCOPES[i]}" && ${1%% *} != "${SCOPES[i]}" ]] || printf '%s\n' "${USAGES[i]}"
  done
}

# option_usage VERB OPTION: the usage of an option that the verb or one of its commands has.
option_usage() {
  local i
  for i in "${!SCOPES[@]}"; do
    [[ ${SCOPES[i]%% *} != "$1" || ${USAGES[i]%% *} != "$2" ]] || { printf '%s\n' "${USAGES[i]}" && return; }
  done
}

# refuse_arguments SCOPE MESSAGE: prints the usage of the scope and ends with the exit code of a wrong use.
refuse_arguments() {
  print_scope "$1" >&2
  (fail "$2") || exit 2
}

# parse_arguments VERB ARGUMENT...: sets SCOPE (the verb, or the verb and its command), OPERANDS and OPTION_<NAME>.
parse_arguments() {
  local verb=$1 commands given='' argument usage value ended=''
  shift
  SCOPE=$verb OPERANDS=()
  commands=$(commands_of "$verb")
  while (($# > 0)); do
    argument=$1 && shift
    if [[ -n $ended || $argument != -?* ]]; then
      OPERANDS+=("$argument")
    elif [[ $argument == -- ]]; then
      ended=yes
    elif [[ $argument == -h || $argument == --help ]]; then
      print_scope "$verb" && exit 0
    else
      usage=$(option_usage "$verb" "${argument%%=*}")
      [[ -n $usage ]] || refuse_arguments "$verb" "$verb has no option '$argument'; the lines above show its options."
      value=yes
      if [[ $argument == *=* ]]; then
        [[ $usage == *' '* ]] || refuse_arguments "$verb" "${argument%%=*} has no value."
        value=${argument#*=}
      elif [[ $usage == *' '[!\[]* ]]; then
        [[ ${1:-} == [!-]* ]] || refuse_arguments "$verb" "$argument needs a value: $usage"
        value=$1 && shift
      elif [[ $usage == *' ['* && ${1:-} == [!-]* ]]; then
        value=$1 && shift
      fi
      printf -v "$(option_variables "${argument%%=*}")" '%s' "$value"
      given+="${argument%%=*} "
    fi
  done
  [[ -z $commands ]] || choose_command "$commands"
  check_options "$given"
  check_operands
}

# choose_command COMMANDS: the first operand, else the first command of the table. A verb with operands needs no command.
choose_command() {
  local command=${OPERANDS[0]:-}
  if [[ -n $(operands_of "$SCOPE") ]]; then
    [[ -n $command && $'\n'$1$'\n' == *$'\n'"$command"$'\n'* ]] || return 0
  fi
  command=${command:-${1%%$'\n'*}}
  [[ $command != help ]] || { print_scope "$SCOPE" && exit 0; }
  [[ $'\n'$1$'\n' == *$'\n'"$command"$'\n'* ]] ||
    refuse_arguments "$SCOPE" "$SCOPE has no command '$command'; the lines above show its commands."
  SCOPE+=" $command"
  OPERANDS=(${OPERANDS[@]+"${OPERANDS[@]:1}"})
}

# check_options OPTIONS: another command of the verb may have an option that this one has not.
check_options() {
  local option allowed
  allowed=$(options_of "$SCOPE" | cut -d' ' -f1)
  for option in $1; do
    [[ $'\n'$allowed$'\n' == *$'\n'"$option"$'\n'* ]] || refuse_arguments "$SCOPE" "$SCOPE has no option '$option'."
  done
}

check_operands() {
  local word usage least=0 most=0 count=${#OPERANDS[@]}
  usage=$(operands_of "$SCOPE")
  # shellcheck disable=SC2086
  set -f && set -- $usage && set +f
  for word in "$@"; do
    [[ $word == \[* ]] || least=$((least + 1))
    if [[ $word == *...* ]]; then most=999999; else most=$((most + 1)); fi
  done
  ((count >= least)) || refuse_arguments "$SCOPE" "$SCOPE needs $usage."
  ((count <= most)) || refuse_arguments "$SCOPE" "$SCOPE does not take '${OPERANDS[most]}'."
}

# run_verb VERB ARGUMENT...: parses and runs; a verb with commands gets the command as its first argument.
run_verb() {
  parse_arguments "$@"
  if [[ $SCOPE == *' '* ]]; then
    "verb_$1" "${SCOPE#* }" ${OPERANDS[@]+"${OPERANDS[@]}"}
  else
    "verb_$1" ${OPERANDS[@]+"${OPERANDS[@]}"}
  fi
}
