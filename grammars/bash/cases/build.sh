#!/bin/bash
source ./common.sh
. lib.sh

readonly LIMIT=10
count=0

# Builds it.
build() {
  local x=1
  cat <<EOF
fake() {
}
EOF
}

function clean {
  rm -rf out
}
