using ApexShop.Load;

using var stop = new CancellationTokenSource();
Console.CancelKeyPress += (_, pressed) =>
{
    pressed.Cancel = true;
    stop.Cancel();
};

switch (args)
{
    case ["visibility", ..]:
        var pairs = args.Length > 1 ? int.Parse(args[1], System.Globalization.CultureInfo.InvariantCulture) : 200;
        await WriteToReadLatency.RunAsync(Shop.FromEnvironment(), pairs, Console.Out, stop.Token);
        return 0;
    default:
        Console.Error.WriteLine("Usage: load visibility [pairs]   (the shop's address and key come from .local/env)");
        return 2;
}
