#!/usr/bin/env bash
# The study on several nodes of SLURM:
#
#     sbatch --nodes 4 --cpus-per-task 32 --gpus-per-node 8 docs/cluster/slurm.sh [ecqg repro ...]
#
# One node is the head: the stages run there, and hand their maps to all nodes through Ray. Submit it
# from a checkout on a disk that all nodes see, with its virtual environment active.
#SBATCH --job-name ecqg
#SBATCH --ntasks-per-node 1
set -euo pipefail

port=${ECQG_RAY_PORT:-6379}
nodes=$(scontrol show hostnames "$SLURM_JOB_NODELIST")
head=${nodes%%$'\n'*}
addresses=$(srun --nodes 1 --ntasks 1 --nodelist "$head" hostname --ip-address)
address=${addresses%% *}

# Who reaches the nodes, but has not this job's token, cannot use Ray.
RAY_AUTH_TOKEN=$(python -c 'import secrets; print(secrets.token_hex(32))')
export RAY_AUTH_MODE=token RAY_AUTH_TOKEN

# A Ray process on each node, the head's first; all end with this script.
trap 'kill $(jobs -p) 2>/dev/null' EXIT
srun --nodes 1 --ntasks 1 --nodelist "$head" \
  ray start --block --head --node-ip-address "$address" --port "$port" --include-dashboard false \
  --disable-usage-stats &
sleep "${ECQG_RAY_WAIT:-15}"
if [ "$SLURM_JOB_NUM_NODES" -gt 1 ]; then
  others=$((SLURM_JOB_NUM_NODES - 1))
  srun --nodes "$others" --ntasks "$others" --exclude "$head" \
    ray start --block --address "$address:$port" --disable-usage-stats &
  sleep "${ECQG_RAY_WAIT:-15}"
fi

export RAY_ADDRESS="$address:$port"
if [ $# -eq 0 ]; then
  set -- ecqg repro
fi
"$@"
