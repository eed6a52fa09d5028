# Completion of the command line, written from the table in verbs.txt.

verb_completion() {
  [[ $1 == bash ]] || refuse_arguments completion "There is no completion for '$1', only for bash."
  local verb words
  say '# Completion of ./apexshop:  source <(./apexshop completion bash)'
  say '_apexshop() {'
  say '  local words'
  say '  case ${COMP_CWORD}:${COMP_WORDS[1]} in'
  say "    1:*) words='$(all_verbs | paste -sd ' ' -)' ;;"
  for verb in $(all_verbs); do
    words="$(commands_of "$verb" | paste -sd ' ' -) $(options_in "$verb" | paste -sd ' ' -) --help"
    case $(operands_of "$verb") in
      NAME | '[NAME...]') words+=" $(load_settings && all_names)" ;;
      '[VERB]') words+=" $(all_verbs | paste -sd ' ' -)" ;;
      SHELL) words+=' bash' ;;
    esac
    say "    *:$verb) words='${words# }' ;;"
  done
  cat <<'TEXT'
  esac
  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _apexshop apexshop ./apexshop
TEXT
}

# options_in VERB: the options of a verb and of all its commands.
options_in() {
  local i
  for i in "${!SCOPES[@]}"; do
    [[ ${SCOPES[i]%% *} != "$1" || ${USAGES[i]} != -* ]] || printf '%s\n' "${USAGES[i]%% *}"
  done
}
