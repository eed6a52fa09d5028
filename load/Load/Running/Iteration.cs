namespace ApexShop.Load.Running;

/// <summary>
/// One run through a scenario. Its first step is due when the iteration was planned, each other one when the step
/// before it has ended: a step's latency contains all the waiting that a caller would have had.
/// </summary>
internal sealed class Iteration(Recording recording, TimeSpan due)
{
    private TimeSpan due = due;

    /// <summary>Runs and counts a step; one that fails or throws ends the iteration.</summary>
    public async Task<T> StepAsync<T>(string name, Func<CancellationToken, Task<T>> step, CancellationToken ct)
        where T : Response
    {
        var begun = recording.Elapsed;
        T? response = null;
        var counted = await GuardAsync(async () => response = await step(ct), ct);
        var ended = recording.Elapsed;
        recording.Step(name).Record(counted, ended - due, ended - begun);
        due = ended;
        return response is { Problem: null } good ? good : throw new StepFailedException(name);
    }

    /// <summary>
    /// Every failure is counted and does not end the run; only the cancellation of the run is not counted.
    /// </summary>
    public static async Task<Response> GuardAsync(Func<Task<Response>> run, CancellationToken ct)
    {
        try
        {
            return await run();
        }
        catch (StepFailedException failed)
        {
            return Response.Fail("failed", $"step {failed.Step}");
        }
        catch (OperationCanceledException) when (ct.IsCancellationRequested)
        {
            return Response.Fail("unfinished", "not finished at the end of the run");
        }
        catch (OperationCanceledException)
        {
            return Response.Fail("timeout", "no response in time");
        }
        catch (HttpRequestException broken)
        {
            return Response.Fail("connection", broken.Message);
        }
        catch (Exception other)
        {
            return Response.Fail("error", $"{other.GetType().Name}: {other.Message}");
        }
    }
}
