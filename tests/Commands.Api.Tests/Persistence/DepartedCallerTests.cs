using System.Data.Common;
using System.Net.Http.Json;
using ApexShop.Commands.Api.Tests.Access;
using Microsoft.AspNetCore.Http;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace ApexShop.Commands.Api.Tests.Persistence;

/// <summary>A caller that disconnects is no error of this process.</summary>
public sealed class DepartedCallerTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task A_caller_that_leaves_during_the_commit_leaves_no_line_in_the_log()
    {
        var (logs, commits) = (new CollectedLogs(), new HeldCommits());
        await using var parent = CommandsApp.Start(app.Database.Commands);
        await using var factory = parent.WithWebHostBuilder(host => host.ConfigureServices(services =>
        {
            services.AddSingleton<ILoggerProvider>(logs);
            services.AddHttpContextAccessor();
            services.AddSingleton<IInterceptor>(commits);
        }));
        factory.UseKestrel();
        using var http = CommandsApp.Client(factory, CommandsApp.Key);
        using var gone = new CancellationTokenSource();
        var category = new { name = "Half written", description = "", isActive = true };
        using var request = new HttpRequestMessage(HttpMethod.Post, "/categories")
        {
            Content = JsonContent.Create(category),
            Headers = { { "Idempotency-Key", "departed" } },
        };

        var response = http.SendAsync(request, gone.Token);
        await commits.Reached.Task.WaitAsync(TimeSpan.FromSeconds(30));
        await gone.CancelAsync();
        await Should.ThrowAsync<OperationCanceledException>(response);
        await commits.Departed.Task.WaitAsync(TimeSpan.FromSeconds(30));
        commits.Released.SetResult();
        await commits.Committed.Task.WaitAsync(TimeSpan.FromSeconds(30));

        (await http.PostAsJsonAsync("/categories", category)).EnsureSuccessStatusCode();
        logs.Lines.ShouldBeEmpty();
    }

    /// <summary>Holds each commit until the test releases it.</summary>
    private sealed class HeldCommits : DbTransactionInterceptor
    {
        public TaskCompletionSource Reached { get; } = new();

        /// <summary>The server has seen that a caller has disconnected.</summary>
        public TaskCompletionSource Departed { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public TaskCompletionSource Released { get; } = new();

        public TaskCompletionSource Committed { get; } = new();

        public override async ValueTask<InterceptionResult> TransactionCommittingAsync(
            DbTransaction transaction, TransactionEventData eventData, InterceptionResult result, CancellationToken ct)
        {
            new HttpContextAccessor().HttpContext?.RequestAborted.Register(() => Departed.TrySetResult());
            Reached.TrySetResult();
            await Released.Task.WaitAsync(ct);
            return result;
        }

        public override Task TransactionCommittedAsync(
            DbTransaction transaction, TransactionEndEventData eventData, CancellationToken ct)
        {
            Committed.TrySetResult();
            return Task.CompletedTask;
        }
    }
}
