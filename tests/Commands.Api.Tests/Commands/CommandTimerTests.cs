using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using System.Net;
using ApexShop.Commands.Api.Categories;
using ApexShop.Commands.Api.Telemetry;
using MediatR;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Commands.Api.Tests.Commands;

public sealed class CommandTimerTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Times_each_command_by_name_and_outcome()
    {
        var seen = new ConcurrentBag<(string Outcome, double Seconds)>();
        using var listener = Listen(seen);

        var id = await app.CategoryAsync();
        await app.DeleteAsync($"/categories/{id}");
        await app.DeleteAsync($"/categories/{id}");

        seen.Select(one => one.Outcome)
            .Order()
            .ShouldBe(["CreateCategory done", "DeleteCategory done", "DeleteCategory refused"]);
        seen.ShouldAllBe(one => one.Seconds > 0 && one.Seconds < 60);
    }

    [Fact]
    public async Task A_change_that_a_constraint_refuses_is_no_failure()
    {
        var seen = new ConcurrentBag<(string Outcome, double Seconds)>();
        using var listener = Listen(seen);

        var user = ShopBuilder.UserBody("taken@example.com");
        await app.PostAsync("/users", user);
        (await app.PostAsync("/users", user)).ShouldBeProblem(HttpStatusCode.Conflict, "user.email_taken");

        seen.Select(one => one.Outcome)
            .Order()
            .ShouldBe(["CreateUser done", "CreateUser refused"]);
    }

    [Fact]
    public async Task A_command_whose_client_disconnects_is_no_failure()
    {
        var seen = new ConcurrentBag<(string Outcome, double Seconds)>();
        using var listener = Listen(seen);
        await using var scope = app.Services.CreateAsyncScope();
        var commands = scope.ServiceProvider.GetRequiredService<IMediator>();

        await Should.ThrowAsync<OperationCanceledException>(
            commands.Send(new DeleteCategory.Command(1, null), new CancellationToken(canceled: true)));

        seen.Select(one => one.Outcome).ShouldBe(["DeleteCategory cancelled"]);
    }

    private MeterListener Listen(ConcurrentBag<(string Outcome, double Seconds)> seen)
    {
        var meters = app.Services.GetRequiredService<IMeterFactory>();
        var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, listening) =>
        {
            // Other tests of this process have meters of the same name.
            if (instrument.Meter.Scope == meters && instrument.Meter.Name == CommandsMeter.Name)
                listening.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<double>(
            (_, seconds, tags, _) => seen.Add(($"{tags[0].Value} {tags[1].Value}", seconds)));
        listener.Start();
        return listener;
    }
}
