using ApexShop.Prove;

using var stop = new CancellationTokenSource();
Console.CancelKeyPress += (_, pressed) =>
{
    pressed.Cancel = true;
    stop.Cancel();
};

try
{
    return await ProveCommand.RunAsync(args, Console.Out, stop.Token);
}
catch (OperationCanceledException) when (stop.IsCancellationRequested)
{
    await Console.Error.WriteLineAsync("Interrupted.");
    return 130;
}
catch (Exception failed) when (
    failed is InvalidOperationException or TimeoutException or IOException
        or HttpRequestException or TaskCanceledException)
{
    await Console.Error.WriteLineAsync($"{failed.Message}");
    return 1;
}
