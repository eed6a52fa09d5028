using System.Runtime.InteropServices;
using ApexShop.Events.Client;
using ApexShop.StockWatcher;

// Keeps the stock of every product in a file and prints which products run low. docs/consume-events.md explains it.
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

var options = new EventConsumerOptions
{
    Shop = new Uri(Required("COMMANDS_URL")),
    Key = Required("EVENTS_KEY"),
    Broker = new Uri(Required("RABBITMQ_URL")),
    Exchange = Environment.GetEnvironmentVariable("BROKER_EXCHANGE") ?? "apexshop.events",
    Queue = Environment.GetEnvironmentVariable("BROKER_QUEUE") ?? "stock-watcher",
    Resources = ["products"],
    // It counts the changes of each product that the log still has.
    Compacted = false,
    Incomplete = true,
};
await new EventConsumer(options, new StockFile(file)).RunAsync(stop.Token);
return 0;

void Stop(PosixSignalContext signal)
{
    signal.Cancel = true;
    stop.Cancel();
}

static string Required(string name) =>
    Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException($"{name} is not set.");
