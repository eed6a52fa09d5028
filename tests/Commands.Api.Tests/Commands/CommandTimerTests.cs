using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using ApexShop.Commands.Api.Telemetry;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Commands.Api.Tests.Commands;

public sealed class CommandTimerTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Times_each_command_by_name_and_outcome()
    {
        var meters = app.Services.GetRequiredService<IMeterFactory>();
        var seen = new ConcurrentBag<(object? Command, object? Outcome, double Seconds)>();
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, listening) =>
        {
            // Other tests of this process have meters of the same name.
            if (instrument.Meter.Scope == meters && instrument.Meter.Name == CommandsMeter.Name)
                listening.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<double>(
            (_, seconds, tags, _) => seen.Add((tags[0].Value, tags[1].Value, seconds)));
        listener.Start();

        var id = await app.CategoryAsync();
        await app.DeleteAsync($"/categories/{id}");
        await app.DeleteAsync($"/categories/{id}");

        seen.Select(one => $"{one.Command} {one.Outcome}")
            .Order()
            .ShouldBe(["CreateCategory done", "DeleteCategory done", "DeleteCategory refused"]);
        seen.ShouldAllBe(one => one.Seconds > 0 && one.Seconds < 60);
    }
}
