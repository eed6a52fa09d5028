using System.Runtime.InteropServices;
using ApexShop.StockWatcher;

// A consumer of the shop's events that uses none of the shop's code: it keeps the stock of every product in a file and
// prints which products run low. docs/consume-events.md explains it.
if (args is not [var file])
{
    await Console.Error.WriteLineAsync("""
        StockWatcher <state file>
        Environment: COMMANDS_URL, EVENTS_KEY (scope events:read; products need no other), RABBITMQ_URL, and if they
        differ from the defaults BROKER_EXCHANGE (apexshop.events) and BROKER_QUEUE (stock-watcher).
        """);
    return 2;
}

using var stop = new CancellationTokenSource();
using var interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, Stop);
using var terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Stop);

using var feed = new Feed(new Uri(Required("COMMANDS_URL")), Required("EVENTS_KEY"));
var queue = new Queue(
    new Uri(Required("RABBITMQ_URL")),
    Environment.GetEnvironmentVariable("BROKER_EXCHANGE") ?? "apexshop.events",
    Environment.GetEnvironmentVariable("BROKER_QUEUE") ?? "stock-watcher");
await new Watcher(feed, queue, Stock.Load(file)).RunAsync(stop.Token);
return 0;

void Stop(PosixSignalContext signal)
{
    signal.Cancel = true;
    stop.Cancel();
}

static string Required(string name) =>
    Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException($"{name} is not set.");
