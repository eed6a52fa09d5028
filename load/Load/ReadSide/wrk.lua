-- Asks for the paths of a file in turns and prints the exact counts, which wrk itself prints rounded.
local requests, at = {}, 0

function init(args)
  for path in io.lines(args[1]) do
    wrk.path = path
    requests[#requests + 1] = wrk.format()
  end
  -- A request that is always the same costs the sender less.
  if #requests == 1 then return end
  -- Not from the first path each time: those of a short run before would still be in a small cache.
  math.randomseed(os.time())
  at = math.random(#requests) - 1
  request = function()
    at = at % #requests + 1
    return requests[at]
  end
end

function done(summary, latency)
  local failed = summary.errors
  io.write(string.format("counted %d %d %d %d %d %d %d %d %d\n",
    summary.requests, summary.duration, summary.bytes, latency:percentile(99),
    failed.connect, failed.read, failed.write, failed.timeout, failed.status))
end
